import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from '../../design/copy-text.ts'
import { IconCheck, IconCode, IconCopy, IconEdit } from '../../design/icons/page-icons.ts'
import classes from './message-view.module.css'

interface MessageToolsProps {
  readonly text: string
  readonly isPlain: boolean
  readonly onPlain: (isPlain: boolean) => void
  /** Of what a person said. */
  readonly onEdit: (() => void) | undefined
  /** Of what the flow said. */
  readonly rating: ReactNode
}

/**
 * Plain buttons with the browser's own tooltips: a busy flow prints hundreds of messages a second, and those of the
 * design took half of the time that a message takes to be drawn.
 */
export function MessageTools({ text, isPlain, onPlain, onEdit, rating }: MessageToolsProps) {
  return (
    <span className={classes.tools}>
      {rating}
      {onEdit !== undefined && (
        <button
          type="button"
          className={classes.tool}
          title="Edit it, and say it again"
          aria-label="Edit the message"
          onClick={onEdit}
        >
          <IconEdit size={16} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={classes.tool}
        title="The text as it is"
        aria-label="Show the text as it is"
        aria-pressed={isPlain}
        onClick={() => onPlain(!isPlain)}
      >
        <IconCode size={16} aria-hidden />
      </button>
      <CopyTool text={text} />
    </span>
  )
}

function CopyTool({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => setCopied(await copyText(text))
  return (
    <>
      <button
        type="button"
        className={classes.tool}
        title="Copy the message"
        aria-label="Copy the message"
        onClick={() => void copy()}
      >
        {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </button>
      {isCopied && (
        <span className="visually-hidden" role="status">
          Copied
        </span>
      )}
    </>
  )
}
