import classes from './monogram.module.css'

interface MonogramProps {
  readonly letters: string
  /** White letters can be read on it. */
  readonly colour: string
  readonly size?: number
}

/** The picture of something that has none that is ours to show. */
export function Monogram({ letters, colour, size = 20 }: MonogramProps) {
  return (
    <span
      className={classes.monogram}
      style={{ background: colour, width: size, height: size, fontSize: Math.round(size * 0.5) }}
      aria-hidden
    >
      {letters}
    </span>
  )
}
