import { Tooltip } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { KeyCaps } from '../../shell/key-caps.tsx'
import classes from './panel-button.module.css'

interface PanelButtonProps {
  readonly label: string
  /** What is written on it; where there is no room, its picture stays. */
  readonly word: string
  readonly icon: ComponentType<{ readonly size: number; readonly 'aria-hidden': true }>
  readonly tip: ReactNode
  readonly keys: string
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** Its word is the first to go where the toolbar gets narrow. */
  readonly isFirstToShrink?: boolean
}

/** Opens and closes a panel beside the canvas. */
export function PanelButton(props: PanelButtonProps) {
  const { label, word, icon: Icon, tip, keys, isOpen, onToggle, isFirstToShrink = false } = props
  return (
    <Tooltip
      label={
        <span className={classes.tip}>
          {tip} <KeyCaps keys={keys} />
        </span>
      }
    >
      <button
        type="button"
        className={classes.button}
        data-first-to-shrink={isFirstToShrink || undefined}
        aria-label={label}
        aria-pressed={isOpen}
        onClick={onToggle}
      >
        <Icon size={16} aria-hidden />
        <span>{word}</span>
      </button>
    </Tooltip>
  )
}
