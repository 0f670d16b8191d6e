import { UnstyledButton } from '@mantine/core'
import { counted } from '../../../design/counted.ts'
import { IconArrowUp } from '../../../design/icons/page-icons.ts'
import classes from './run-list.module.css'

interface NewRunsPillProps {
  readonly count: number
  /** The height of what stays in sight above it. */
  readonly top: number
  readonly onShow: () => void
}

/** Says that runs wait above, and lets them in. */
export function NewRunsPill({ count, top, onShow }: NewRunsPillProps) {
  return (
    <div role="status" className={classes.pillPlace} style={{ top }}>
      {count > 0 && (
        <UnstyledButton className={classes.pill} onClick={onShow}>
          <IconArrowUp size={14} stroke={2.4} aria-hidden />
          {counted(count, 'new run')}
        </UnstyledButton>
      )}
    </div>
  )
}
