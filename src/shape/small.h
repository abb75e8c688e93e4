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
