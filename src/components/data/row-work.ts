/** What a row takes where no more is looked at than a number, or a member of it: in characters. */
export const WORK_PER_ROW = 8

/** What it takes besides, to look a value up in a Map or to make a list or an object. */
export const WORK_PER_LOOKUP = 16
