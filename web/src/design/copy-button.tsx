import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'
import { IconCheck, IconCopy } from './icons/page-icons.ts'

interface CopyButtonProps {
  /** A function where the text is long to write: it is called when somebody copies. */
  readonly text: string | (() => string)
  /** What is copied, for the tooltip and for screen readers: "Copy the endpoint". */
  readonly label: string
  /** Shows these words beside the icon. */
  readonly children?: React.ReactNode
}

interface Attempt {
  readonly written: string
  readonly outcome: 'copied' | 'refused'
}

export function CopyButton({ text, label, children }: CopyButtonProps) {
  const [last, setLast] = useState<Attempt | undefined>()
  useEffect(() => {
    if (last === undefined) return
    const timer = setTimeout(() => setLast(undefined), 1600)
    return () => clearTimeout(timer)
  }, [last])
  const copy = async () => {
    const written = typeof text === 'string' ? text : text()
    setLast({ written, outcome: (await copyText(written)) ? 'copied' : 'refused' })
  }
  // A text that has changed since is not the one in the clipboard.
  const outcome = typeof text === 'string' && last?.written !== text ? undefined : last?.outcome
  const icon = outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
  const said =
    outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'The browser did not allow it' : label
  return (
    <>
      {children === undefined ? (
        <Tooltip label={said}>
          <ActionIcon onClick={copy} aria-label={label}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button variant="default" leftSection={icon} onClick={copy} aria-label={label}>
          {outcome === undefined ? children : said}
        </Button>
      )}
      <span className="visually-hidden" aria-live="polite">
        {outcome === undefined ? '' : said}
      </span>
    </>
  )
}
