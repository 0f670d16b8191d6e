import { useLocalStorage } from '@mantine/hooks'

interface PlaygroundDockState {
  readonly isOpen: boolean
  /** With the sessions beside the conversation. */
  readonly isWide: boolean
  toggle(): void
  toggleWide(): void
  close(): void
}

/** Whether the Playground stands beside the canvas. The browser remembers it. */
export function usePlaygroundDock(): PlaygroundDockState {
  const [isOpen, setOpen] = useLocalStorage({
    key: 'millrace.editor.playground',
    defaultValue: false,
    getInitialValueInEffect: false
  })
  const [isWide, setWide] = useLocalStorage({
    key: 'millrace.editor.playground-wide',
    defaultValue: false,
    getInitialValueInEffect: false
  })
  return {
    isOpen,
    isWide,
    toggle: () => setOpen((before) => !before),
    toggleWide: () => setWide((before) => !before),
    close: () => setOpen(false)
  }
}
