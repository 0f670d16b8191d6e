import { useLocalStorage } from '@mantine/hooks'

interface PlaygroundDockState {
  readonly isOpen: boolean
  toggle(): void
  close(): void
}

/** Whether the Playground stands beside the canvas. The browser remembers it. */
export function usePlaygroundDock(): PlaygroundDockState {
  const [isOpen, setOpen] = useLocalStorage({
    key: 'millrace.editor.playground',
    defaultValue: false,
    getInitialValueInEffect: false
  })
  return { isOpen, toggle: () => setOpen((before) => !before), close: () => setOpen(false) }
}
