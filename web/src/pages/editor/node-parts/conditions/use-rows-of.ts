import { useEffect, useState } from 'react'
import type { rowsOf } from './parse-cel.ts'

type RowsOf = typeof rowsOf

/** The parser of CEL, which is loaded when a condition is first shown; undefined until then, and where it does not come. */
export function useRowsOf(): RowsOf | undefined {
  const [loaded, setLoaded] = useState<{ readonly rowsOf: RowsOf } | undefined>()
  useEffect(() => {
    let isGone = false
    import('./parse-cel.ts').then(
      ({ rowsOf }) => {
        if (!isGone) setLoaded({ rowsOf })
      },
      // The expression is edited as text then.
      () => undefined
    )
    return () => {
      isGone = true
    }
  }, [])
  return loaded?.rowsOf
}
