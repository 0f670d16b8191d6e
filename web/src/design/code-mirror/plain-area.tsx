import classes from './plain-area.module.css'

interface PlainAreaProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onBlur?: () => void
  /** What is edited, for screen readers. */
  readonly label: string
  readonly describedBy?: string
  readonly readOnly?: boolean
  /** In pixels; it grows to twice that and then scrolls. */
  readonly height: number
  readonly isSmall?: boolean
  readonly ref?: React.Ref<HTMLTextAreaElement>
}

/**
 * Stands in for CodeMirror where its code did not arrive, because the service is away or serves a newer page by now.
 * Work goes on without colours until the page is loaded anew; the alternative is a page that fails under somebody's hands.
 */
export function PlainArea(props: PlainAreaProps) {
  const {
    value,
    onChange,
    onBlur,
    label,
    describedBy = '',
    readOnly = false,
    height,
    isSmall = false,
    ref
  } = props
  return (
    <textarea
      ref={ref}
      className={`${classes.area} nodrag nowheel nokey`}
      data-small={isSmall || undefined}
      style={{ minHeight: height, maxHeight: 2 * height }}
      aria-label={label}
      {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
      readOnly={readOnly}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}
