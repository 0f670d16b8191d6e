import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/** What is clicked in a text that React did not make: a link into the page is followed without loading the page anew. */
export function useFollowLinks(): (event: MouseEvent) => void {
  const navigate = useNavigate()
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || link.target === '_blank' || !link.href.startsWith(document.baseURI))
      return
    event.preventDefault()
    void navigate(`/${link.href.slice(document.baseURI.length)}`)
  }
}
