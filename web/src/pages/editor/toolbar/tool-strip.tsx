import { ActionIcon } from '@mantine/core'
import { useId, useState } from 'react'
import { IconDots } from '../../../design/icons/page-icons.ts'
import classes from './toolbar.module.css'

/** Tools in the row of the toolbar; a phone has no room for them there, and shows them below it when it is asked. */
export function ToolStrip({ children }: { readonly children: React.ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const onClick = ({ target }: React.MouseEvent) => {
    // What opens something else is done with; what changes the drawing is used again and again.
    if ((target as Element).closest('a, [aria-pressed]') !== null) setOpen(false)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(false)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears what is done with the buttons in it. */}
      <div
        id={id}
        className={classes.strip}
        data-open={isOpen || undefined}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
      <ActionIcon
        className={`${classes.tool} ${classes.moreTools}`}
        aria-label="More tools"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </>
  )
}
