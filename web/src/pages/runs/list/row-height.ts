import { useMediaQuery } from '@mantine/hooks'

export const NARROW = '(max-width: 720px)'

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
}

/** Rows of one height need not be measured: a list of any length knows where each one stands. */
export function useRowHeight(): number {
  return useIsNarrow() ? 68 : 44
}
