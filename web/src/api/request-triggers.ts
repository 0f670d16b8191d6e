/** Triggers of runs that begin with what somebody sent. */
export const REQUESTS: readonly unknown[] = ['webhook', 'form']
