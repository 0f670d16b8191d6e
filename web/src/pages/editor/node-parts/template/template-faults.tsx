import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '../../../../design/icons/page-icons.ts'
import { templateGaps } from '../../../../editor/template/template-gaps.ts'
import { templateProblems } from '../../../../editor/template/template-tokens.ts'
import classes from './template-field.module.css'
import type { TemplateScope } from './template-language.ts'

interface TemplateFaultsProps {
  readonly template: string
  readonly scope: TemplateScope
  /** Only what the last payload has no value for: what is wrong with the template itself is said elsewhere. */
  readonly gapsOnly?: boolean
}

/** Half a variable is no fault while it is being typed. */
const PAUSE_MS = 350

/** What is wrong with a template, in the words of the run that would fail. */
export function TemplateFaults({
  template,
  scope: { data, variables },
  gapsOnly = false
}: TemplateFaultsProps) {
  const [source] = useDebouncedValue(template, PAUSE_MS)
  const gaps = data === undefined ? [] : templateGaps(source, data, variables)
  const faults = gapsOnly ? gaps : [...templateProblems(source), ...gaps]
  return (
    <ul className={classes.faults} aria-label="Template problems" aria-live="polite">
      {faults.map(({ from, message }) => (
        <li key={from}>
          <IconAlertTriangle size={13} aria-hidden />
          <span>{message}</span>
        </li>
      ))}
    </ul>
  )
}
