import type { Step } from '../api/shapes.ts'
import classes from './log-lines.module.css'

/** What a step wrote for people, line by line. */
export function LogLines({ lines }: { readonly lines: NonNullable<Step['logs']> }) {
  return (
    <ol className={classes.lines}>
      {lines.map(({ level, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and never change places.
        <li key={index} className={classes.line} data-level={level}>
          {isMarked(level) && <strong>{level} </strong>}
          {text}
        </li>
      ))}
    </ol>
  )
}

function isMarked(level: string): boolean {
  return level === 'warn' || level === 'error'
}
