import { defineComponent, type FieldFault } from '../../plugin-api.ts'
import { assertCron, assertZone, CronError } from './cron.ts'

const MISSED = ['Run once, late', 'Leave out'] as const

/** Starts a run at the times that its fields tell. The service starts it: see src/triggers. */
export const schedule = defineComponent({
  type: 'schedule',
  title: 'Schedule',
  description: 'Starts the flow by the clock: every hour, at nine on weekdays, on the last day of the month.',
  category: 'Triggers',
  icon: 'clock',
  keywords: [
    'cron',
    'timer',
    'interval',
    'clock',
    'every',
    'nightly',
    'daily',
    'hourly',
    'recurring',
    'inject',
    'time'
  ],
  example: '0 9 * * 1-5 in Europe/Berlin: a run at nine on every weekday, in summer and in winter.',
  effects: 'pure',
  trigger: 'schedule',
  startedBy: 'service',
  fields: {
    cron: {
      kind: 'text',
      title: 'Cron',
      help: 'Minute, hour, day of the month, month, weekday. With six fields the first is seconds. L is the last day, 1#2 the second Monday.',
      placeholder: '0 9 * * 1-5',
      default: '0 9 * * *'
    },
    timezone: {
      kind: 'text',
      title: 'Time zone',
      help: 'Where these hours are: Europe/Berlin, America/New_York. Daylight saving time is followed.',
      placeholder: 'UTC',
      default: 'UTC'
    },
    missed: {
      kind: 'choice',
      title: 'Missed times',
      help: 'What comes of times that pass while the service is down, or the flow holds what arrives, for longer than a minute: the last of them runs once, marked late; or they are left out.',
      choices: MISSED,
      default: 'Run once, late',
      hidden: true
    }
  },
  mainFields: ['cron'],
  outputs: {
    data: {
      title: 'Data',
      type: 'any',
      help: 'scheduled_at and timezone; late is true where the time was missed.'
    }
  },
  check: ({ cron, timezone }): FieldFault[] => {
    const zone = faultOf('timezone', () => assertZone(timezone))
    const ofCron = faultOf('cron', () => assertCron(cron, zone.length > 0 ? 'UTC' : timezone, Date.now()))
    // What a variable says is known when the flow runs.
    return [...(readsVariable(timezone) ? [] : zone), ...(readsVariable(cron) ? [] : ofCron)]
  },
  run: ({ run }) => ({ data: run.input })
})

function readsVariable(text: string): boolean {
  return text.includes('{$')
}

function faultOf(field: string, assert: () => void): FieldFault[] {
  try {
    assert()
    return []
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    return [{ field, code: error.code, message: error.message }]
  }
}
