import { Button } from '@mantine/core'
import { memo, useState } from 'react'
import { parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { filesInText, isOfFiles } from '../../../file-parts/files-in.ts'
import { ShownFiles } from '../../../file-parts/shown-file.tsx'
import { CodeBlock } from './code-block.tsx'
import { GuardedMarkdown } from './guarded-markdown.tsx'
import { MarkdownText } from './markdown-text.tsx'
import { shapeOf, shortened } from './message-shape.ts'
import classes from './message-text.module.css'

interface MessageTextProps {
  readonly text: string
  /** As it is, whatever it looks like. */
  readonly isPlain: boolean
}

/** What a message says: as Markdown, as JSON, or as it is; long ones in part at first. */
export const MessageText = memo(function MessageText({ text, isPlain }: MessageTextProps) {
  const [isWhole, setWhole] = useState(false)
  const part = shortened(text)
  if (part.isCut && !isWhole) {
    return (
      <div className={classes.text}>
        <PlainText text={part.text} isCut />
        <Button variant="default" size="compact-sm" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.text} dir="auto">
      {isPlain ? <PlainText text={text} /> : <ShapedText text={text} />}
    </div>
  )
})

function ShapedText({ text }: { readonly text: string }) {
  const shape = shapeOf(text)
  if (shape === 'plain') return <PlainText text={text} />
  if (shape === 'json') return <JsonText text={text} />
  return (
    <GuardedMarkdown text={text} plain={<PlainText text={text} />}>
      <MarkdownText text={text} />
    </GuardedMarkdown>
  )
}

/** Files in it are shown; a file alone says all that its text does. */
function JsonText({ text }: { readonly text: string }) {
  return (
    <>
      {!isOfFiles(text) && <CodeBlock text={laidOut(text)} language="json" />}
      <ShownFiles files={filesInText(text)} />
    </>
  )
}

/** On one line it is hard to read; with lines of its own it stays as it was sent. */
function laidOut(text: string): string {
  return text.includes('\n') ? text : writeJson(parseJson(text), 2)
}

function PlainText({ text, isCut = false }: { readonly text: string; readonly isCut?: boolean }) {
  return (
    <div className={classes.verbatim} data-cut={isCut || undefined}>
      {text}
    </div>
  )
}
