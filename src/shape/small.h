// Small numbers of shape, each a multiple of a length of the shapes themselves.
#pragma once

// distance from a plane, over the size of a hull, within which a corner lies in it: rounding of the
// products that make a plane of three points, times some
#define shape_in_plane 1e-9
// sine of the angle below which two directions are one
#define shape_parallel 1e-9
// the same where two capsules come to touch along a line: by its ends, before they are parallel
#define shape_nearly_parallel 0.1
// An axis across two edges is taken before a side only where it parts them by this share of their
// size more: of both a side has more points to rest on.
#define shape_edge_handicap 1e-6
// distance over the sizes below which two points have no direction between them
#define shape_coincide 1e-12
// Features, of the size of the smaller body: corners beyond the edge of a side by less than
// rounding still stand above it; an axis across edges counts where it parts more by this share.
#define shape_standing   1e-9
#define shape_edges_more 1e-10
// Sine of the angle below which edges do not cross: the rounding of their normal is that of a
// double over it. Corners whose edges are so parallel to the edge of a side stand above it as far.
#define shape_crossing_sine 1e-7
