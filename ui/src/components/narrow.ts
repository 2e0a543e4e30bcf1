/** The media query of a screen on which one view takes the whole width. */
export const NARROW = "(max-width: 760px)";
