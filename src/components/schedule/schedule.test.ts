import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runStep } from '../step.test-kit.ts'
import { schedule } from './schedule.ts'

function faults(fields: { readonly cron?: string; readonly timezone?: string }) {
  const all = schedule.check!({ cron: '0 9 * * *', timezone: 'UTC', missed: 'Leave out', ...fields })
  return all.map(({ field, code, message }) => `${field} ${code}: ${message}`)
}

describe('Schedule', () => {
  it('takes five fields, six with seconds, seven with years, and names', () => {
    const sound = [
      '0 9 * * 1-5',
      '*/10 * * * * *',
      '0 0 0 1 1 * 2099',
      '@daily',
      ' 0 9 L * MON#2 ',
      '5 4 15W * *'
    ]
    for (const cron of sound) assert.deepEqual(faults({ cron }), [], cron)
  })

  it('refuses what never comes', () => {
    for (const cron of ['0 0 30 2 *', '0 0 0 1 1 * 2020']) {
      assert.match(faults({ cron }).join(), /^cron cron_never: It never comes\. Write a day/, cron)
    }
  })

  it('looks once for what never comes: a draft may say it ten thousand times', () => {
    const never = { cron: '* * * 31 2,4,6,9,11 *', timezone: 'America/St_Johns' }
    const since = process.cpuUsage()
    for (let times = 0; times < 1_000; times++) assert.match(faults(never).join(), /^cron cron_never/)
    // Each look takes 10 ms or more.
    assert.ok(process.cpuUsage(since).user < 5_000_000)
  })

  it('says how many fields there are to be', () => {
    assert.deepEqual(faults({ cron: '0 9 * *' }), [
      'cron invalid_cron: It has 4 fields. Write five: minute, hour, day of the month, month and weekday, such as 0 9 * * 1-5 for 9:00 on weekdays; or six, with seconds first.'
    ])
    assert.match(faults({ cron: 'daily' }).join(), /It has 1 field\. /)
    assert.match(faults({ cron: '2026-01-01T00:00:00' }).join(), /It has 1 field\. /)
    assert.match(faults({ cron: ' ' }).join(), /It is empty\. Write minute/)
    assert.match(faults({ cron: '1,'.repeat(200) }).join(), /more than 200 characters/)
  })

  it('says which field is wrong', () => {
    assert.match(faults({ cron: '60 * * * *' }).join(), /invalid_cron: .*minute: 60\. Write minute/)
    assert.match(faults({ cron: '0 9 * * someday' }).join(), /invalid_cron: It is not a cron expression: /)
    assert.match(faults({ cron: '@sometimes' }).join(), /invalid_cron: It is not a cron expression: /)
  })

  it('refuses a zone that does not exist, and finds the one that was meant', () => {
    assert.deepEqual(faults({ timezone: 'Berlin' }), [
      'timezone unknown_timezone: There is no time zone "Berlin". Did you mean Europe/Berlin?'
    ])
    assert.match(faults({ timezone: 'Mars/Olympus' }).join(), /Use a name such as Europe\/Berlin, or UTC\.$/)
    for (const timezone of ['', 'UTC', 'America/New_York', 'europe/berlin']) {
      assert.deepEqual(faults({ timezone }), [], timezone)
    }
    assert.equal(faults({ cron: 'x', timezone: 'x' }).length, 2)
  })

  it('leaves what a variable says to the run', () => {
    assert.deepEqual(faults({ cron: '{$cron}', timezone: '{$zone}' }), [])
  })

  it('gives on what its run was started with', () => {
    const input = { scheduled_at: '2026-01-01T09:00:00.000Z', timezone: 'UTC' }
    assert.deepEqual(runStep(schedule, { input }).outputs, { data: input })
  })
})
