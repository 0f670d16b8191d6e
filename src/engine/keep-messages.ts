import type { Effects, StepCall } from './effects.ts'

/** What a step said before it failed is kept where it can be; that it failed is what matters. */
export function keepMessages(call: StepCall, { keep }: Pick<Effects, 'keep'>): Promise<boolean> | undefined {
  if (call.messages.length === 0) return undefined
  const drop = () => {
    call.messages.length = 0
  }
  try {
    return keep(call, null)?.catch(() => {
      drop()
      return true
    })
  } catch {
    drop()
    return undefined
  }
}
