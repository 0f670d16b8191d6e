import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { withSignsShown } from '../../../../src/flows/template/signs-shown.ts'
import classes from './value-view.module.css'

interface LongTextProps {
  readonly text: string
  /** So many characters are shown at first. */
  readonly glance: number
  /** So many more whenever somebody asks. */
  readonly step?: number
}

/** Text of any length, as much of it as somebody asks for: a browser that lays out a megabyte at once stands still. */
export function LongText({ text, glance, step = 10 * glance }: LongTextProps) {
  const [shown, setShown] = useState(glance)
  if (text.length <= shown) return withSignsShown(text)
  return (
    <>
      {withSignsShown(text.slice(0, endAt(text, shown)))}
      <UnstyledButton className={classes.moreText} onClick={() => setShown(shown + step)}>
        … {(text.length - shown).toLocaleString()} characters more
      </UnstyledButton>
    </>
  )
}

/** Not between the two halves of a character. */
function endAt(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at
}
