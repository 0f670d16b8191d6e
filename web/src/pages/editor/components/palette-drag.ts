/** What a dragged component is called while it is in the air: its type, or `note`. */
export const DRAGGED_TYPE = 'application/x-millrace-component'
