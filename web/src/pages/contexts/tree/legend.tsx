import { IconEye, IconFolder, IconMapPin, IconPlug } from '../../../design/icons/page-icons.ts'
import classes from './context-tree.module.css'

export function Legend({ hasMarks }: { readonly hasMarks: boolean }) {
  return (
    <ul className={classes.legend} aria-label="Legend">
      <li>
        <span className={classes.swatch} data-kind="code">
          <IconPlug size={12} aria-hidden />
        </span>
        Made by a plugin
      </li>
      <li>
        <span className={classes.swatch} data-kind="data">
          <IconFolder size={12} aria-hidden />
        </span>
        Made here
      </li>
      <li>
        <IconEye size={16} aria-hidden className={classes.eye} />
        Seen from the chosen one
      </li>
      {hasMarks && (
        <li>
          <IconMapPin size={16} aria-hidden className={classes.pin} />
          Where the name is registered
        </li>
      )}
    </ul>
  )
}
