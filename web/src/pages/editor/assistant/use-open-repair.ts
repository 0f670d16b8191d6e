import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { useAssistance } from '../assistance.ts'

/** The page of a run that failed leads here, to the repair of the node that did. */
export function useOpenRepair(): void {
  const { isOffered, open } = useAssistance()
  const [search, setSearch] = useSearchParams()
  const [run, node] = [search.get('run'), search.get('repair')]
  useEffect(() => {
    if (!isOffered || run === null || node === null) return
    open({ repair: { run, node } })
    // Opened once, not whenever the page is loaded again.
    setSearch(
      (params) => {
        params.delete('repair')
        return params
      },
      { replace: true }
    )
  }, [isOffered, open, run, node, setSearch])
}
