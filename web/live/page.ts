// The viewer, which runs already: see first.ts.
export const { zwangPage: page, zwangPlace: placeOfPanel } = window;
