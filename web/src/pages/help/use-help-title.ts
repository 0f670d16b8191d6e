import { useEffect } from 'react'
import { words } from '../../../../src/flows/template/plain-words.ts'

/** The title of the window. */
export function useHelpTitle(title: string): void {
  useEffect(() => {
    document.title = words`${title} · Help · Millrace`
  }, [title])
}
