import { useCallback, useRef, useState } from 'react'
import { NodeMenu } from '../lazy-tools.tsx'
import { NodeMenuContext, type Place } from '../session/node-menu-context.ts'

interface Open {
  readonly node: string
  readonly beside: Place
}

/** Holds the one menu that all nodes share. */
export function NodeMenuProvider({ children }: { readonly children: React.ReactNode }) {
  const [open, setOpen] = useState<Open | undefined>()
  const opener = useRef<Element | null>(null)
  const openMenu = useCallback((node: string, { left, top, width, height }: Place) => {
    opener.current = document.activeElement
    // One by one: the members of a DOMRect are not its own.
    setOpen({ node, beside: { left, top, width, height } })
  }, [])
  const close = () => {
    setOpen(undefined)
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
  return (
    <NodeMenuContext value={openMenu}>
      {children}
      {open !== undefined && <NodeMenu key={open.node} {...open} onClose={close} />}
    </NodeMenuContext>
  )
}
