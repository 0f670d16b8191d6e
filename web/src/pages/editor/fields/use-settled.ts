import { useState } from 'react'

/** A value as it was when somebody began to write, for as long as they do. It has to be the same one while nothing changes. */
export function useSettled<T>(value: T, isWriting: boolean): T {
  const [settled, setSettled] = useState(value)
  if (!isWriting && settled !== value) setSettled(value)
  return isWriting ? settled : value
}
