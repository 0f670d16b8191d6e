/** What started a run, as people read it. */
export function triggerWords(trigger: string): string {
  return trigger.replaceAll('-', ' ')
}
