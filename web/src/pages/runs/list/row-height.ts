import { useMediaQuery } from '@mantine/hooks'

export const NARROW = '(max-width: 720px)'

/** Rows of one height need not be measured: a list of any length knows where each one stands. */
export function useRowHeight(): number {
  return useMediaQuery(NARROW, window.matchMedia(NARROW).matches) ? 68 : 44
}
