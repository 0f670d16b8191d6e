import { useLocalStorage } from '@mantine/hooks'

/** Whether the Playground stands beside the canvas. The browser remembers it. */
export function usePlaygroundDock(): { readonly isOpen: boolean; readonly toggle: () => void } {
  const [isOpen, setOpen] = useLocalStorage({
    key: 'millrace.editor.playground',
    defaultValue: false,
    getInitialValueInEffect: false
  })
  return { isOpen, toggle: () => setOpen((before) => !before) }
}
