interface Standing {
  readonly isTried: boolean
  readonly status: string | undefined
  readonly hasDraft: boolean
}

/** What is to be done next with a run that failed. */
export function fixingWords({ isTried, status, hasDraft }: Standing): string {
  if (!isTried) return 'Change the node that failed, or what the run began with, and try it.'
  if (status === 'failed') return 'It still fails. Go on: nothing of it is live.'
  if (status === 'succeeded') {
    return hasDraft
      ? 'It passes. Publish it, and then replay the run.'
      : 'It passes on what is live: replay the run.'
  }
  return 'It goes on.'
}
