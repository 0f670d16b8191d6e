/** The panel of conflicts, for the part in it that closes it. */
export const CONFLICTS = 'conflicts'
