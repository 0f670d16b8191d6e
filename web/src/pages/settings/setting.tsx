import { useId } from 'react'
import { Panel } from '../../design/page.tsx'
import classes from './settings-page.module.css'

/** A panel with a heading. */
export function SettingGroup({
  title,
  children
}: {
  readonly title: string
  readonly children: React.ReactNode
}) {
  const id = useId()
  return (
    <div className={classes.group}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      <Panel aria-labelledby={id}>{children}</Panel>
    </div>
  )
}

/** A line with what it is about at the left and its value, or what chooses it, at the right. */
export function Setting({ name, help, children }: SettingProps) {
  return (
    <div className={classes.setting}>
      <div>
        <div>{name}</div>
        {help === undefined ? null : <div className={classes.help}>{help}</div>}
      </div>
      <div className={classes.value}>{children}</div>
    </div>
  )
}

interface SettingProps {
  readonly name: string
  readonly help?: React.ReactNode
  readonly children: React.ReactNode
}
