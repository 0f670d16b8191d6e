import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addTo, difference, UNITS } from '../../flows/date/calendar.ts'
import { dateFormat, isoDate } from '../../flows/date/date-format.ts'
import { momentAt, wallTime, zoneNamed } from '../../flows/date/zone.ts'
import type { JsonValue } from '../../plugin-api.ts'
import { failureOf, runStep } from '../step.test-kit.ts'
import { date } from './date.ts'
import { dateReader } from './date-parse.ts'
import { dateRules, readDate } from './read-date.ts'
import { startOfRun } from './start-of-run.ts'

const BERLIN = zoneNamed('Europe/Berlin')!
const UTC = zoneNamed('UTC')!

const read = (value: JsonValue, format = '', zone = UTC) => {
  const ms = readDate(value, dateRules(format, zone, 'en'))
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

function ran(fields: Record<string, JsonValue>, data: JsonValue = null) {
  return runStep(date, { fields, inputs: { data }, now: () => Date.UTC(2026, 10, 17, 9) }).outputs.data
}

describe('many dates', () => {
  it('take no longer for the names of days and months', () => {
    const fields = { format: 'EEEE MMMM '.repeat(50), input_format: 'EEE, d MMM yyyy', as: 'day' }
    const rows = Array.from({ length: 1_000 }, () => 'Tue, 17 Nov 2026')
    const before = process.cpuUsage()
    ran({ ...fields, as: '' }, rows)
    const { user } = process.cpuUsage(before)
    // Of 100,000 names, each took 80 µs.
    assert.ok(user < 1_500_000, `${user} µs`)
  })

  it('have a format that somebody could have written', () => {
    const fields = { format: 'EEEE'.repeat(25_000) }
    const { code, message } = failureOf(date, { fields, inputs: { data: '2026-01-01' } })
    assert.equal(code, 'invalid_format')
    assert.match(message, /100000 characters. A format has 500 at most/)
  })
})

describe('reading dates', () => {
  const READ: [value: JsonValue, iso: string][] = [
    ['2026-11-17T09:00:00Z', '2026-11-17T09:00:00.000Z'],
    ['2026-11-17 09:00', '2026-11-17T09:00:00.000Z'],
    ['2026-11-17', '2026-11-17T00:00:00.000Z'],
    ['2026-11-17T09:00:00.123456+01:00', '2026-11-17T08:00:00.123Z'],
    ['2026-11-17T09:00:00-0530', '2026-11-17T14:30:00.000Z'],
    ['2023/04/11', '2023-04-11T00:00:00.000Z'],
    ['2023/4/1 10:00', '2023-04-01T10:00:00.000Z'],
    ['2023.04.11T10:00:00Z', '2023-04-11T10:00:00.000Z'],
    ['0044-03-15', '0044-03-15T00:00:00.000Z'],
    [1_794_906_000, '2026-11-17T09:00:00.000Z'],
    [1_794_906_000_000, '2026-11-17T09:00:00.000Z'],
    ['1794906000', '2026-11-17T09:00:00.000Z'],
    ['Tue, 17 Nov 2026 09:00:00 GMT', '2026-11-17T09:00:00.000Z'],
    ['17 Nov 2026 10:00 +0100', '2026-11-17T09:00:00.000Z']
  ]
  for (const [value, iso] of READ) it(`reads ${value}`, () => assert.equal(read(value), iso))

  for (const value of [
    '',
    'soon',
    '2026-02-30',
    '2026-13-01',
    '2026-01-01T25:00Z',
    '17.11.2026',
    '04/11/2023',
    '2023/04.11',
    '2023/02/30',
    '2023/04/112',
    true,
    {},
    1e300,
    '2026-01-01T00:00+99:00'
  ])
    it(`takes ${JSON.stringify(value)} for none`, () => assert.equal(read(value as JsonValue), undefined))

  it('reads by a format, in a zone', () => {
    assert.equal(read('17.11.2026 10:30', 'dd.MM.yyyy HH:mm', BERLIN), '2026-11-17T09:30:00.000Z')
    assert.equal(read('11/7/26, 1:05 pm', 'M/d/yy, h:mm a'), '2026-11-07T13:05:00.000Z')
    assert.equal(read('Tuesday 17 November 2026', 'EEEE d MMMM yyyy'), '2026-11-17T00:00:00.000Z')
    assert.equal(read('20261117', 'YYYYMMDD'), '2026-11-17T00:00:00.000Z')
    assert.equal(read(20261117, 'yyyyMMdd'), '2026-11-17T00:00:00.000Z')
    assert.equal(read('31.02.2026', 'dd.MM.yyyy'), undefined)
    assert.equal(read('x17.11.2026', 'dd.MM.yyyy'), undefined)
    assert.equal(dateReader('d. MMMM yyyy', UTC, 'de')('17. März 2026'), Date.UTC(2026, 2, 17))
  })
})

describe('time zones', () => {
  it('know hours that are left out and hours that come twice', () => {
    const at = (hour: number, minute: number, month: number, day: number) =>
      new Date(momentAt({ year: 2026, month, day, hour, minute, second: 0, ms: 0 }, BERLIN)).toISOString()
    assert.equal(at(2, 30, 3, 29), '2026-03-29T01:30:00.000Z')
    assert.equal(at(2, 30, 10, 25), '2026-10-25T00:30:00.000Z')
    assert.equal(at(12, 0, 7, 1), '2026-07-01T10:00:00.000Z')
  })

  it('are named, or an offset, or none', () => {
    assert.equal(isoDate(0, zoneNamed('+05:30')!), '1970-01-01T05:30:00.000+05:30')
    assert.equal(isoDate(0, zoneNamed('utc')!), '1970-01-01T00:00:00.000Z')
    assert.equal(zoneNamed('Europe/Nowhere'), undefined)
    assert.equal(zoneNamed('+25:00'), undefined)
  })

  it('have offsets of quarters of an hour, behind UTC, and of seconds long ago', () => {
    const offset = (name: string, at: string) => zoneNamed(name)!.offsetAt(Date.parse(at)) / 1000
    assert.equal(offset('Asia/Kathmandu', '2026-01-01T00:00Z'), 5.75 * 3600)
    assert.equal(offset('America/St_Johns', '2026-01-01T00:00Z'), -3.5 * 3600)
    assert.equal(offset('Africa/Monrovia', '1960-01-01T00:00Z'), -(44 * 60 + 30))
    assert.equal(offset('Europe/Amsterdam', '1800-01-01T00:00Z'), 17 * 60 + 30)
    assert.equal(offset('Europe/London', '2026-01-01T00:00Z'), 0)
  })

  it('show what leads back to the same moment, except where clocks are set back', () => {
    const moments = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2100, 0) })
    fc.assert(
      fc.property(moments, (ms) => {
        const back = momentAt(wallTime(ms, BERLIN), BERLIN)
        assert.ok(back === ms || back === ms - 3_600_000)
        assert.equal(isoDate(back, BERLIN).slice(0, 23), isoDate(ms, BERLIN).slice(0, 23))
      })
    )
  })
})

describe('computing with dates', () => {
  it('goes by the calendar of the zone for days and more, by the clock for less', () => {
    const evening = Date.UTC(2026, 2, 28, 19)
    assert.equal(isoDate(addTo(evening, 1, 'days', BERLIN), BERLIN), '2026-03-29T20:00:00.000+02:00')
    assert.equal(isoDate(addTo(evening, 24, 'hours', BERLIN), BERLIN), '2026-03-29T21:00:00.000+02:00')
    assert.equal(isoDate(addTo(Date.UTC(2028, 0, 31), 1, 'months', UTC), UTC), '2028-02-29T00:00:00.000Z')
    assert.equal(isoDate(addTo(Date.UTC(2028, 1, 29), -4, 'quarters', UTC), UTC), '2027-02-28T00:00:00.000Z')
  })

  it('tells how many fit in between', () => {
    const from = Date.UTC(2026, 0, 31)
    assert.equal(difference(from, Date.UTC(2026, 1, 28), 'months', UTC), 1)
    assert.equal(difference(from, Date.UTC(2027, 0, 30), 'years', UTC), 0)
    assert.equal(difference(Date.UTC(2026, 1, 2), from, 'days', UTC), -2)
    assert.equal(difference(0, 5_400_000, 'hours', UTC), 1.5)
    const units = fc.constantFrom(...UNITS.slice(0, 5))
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
        fc.nat({ max: 500 }),
        units,
        (begin, count, unit) => {
          const ms = begin.getTime()
          assert.ok(difference(ms, addTo(ms, count, unit, BERLIN), unit, BERLIN) >= count)
        }
      )
    )
  })

  it('writes by a format, in a language', () => {
    const at = Date.UTC(2026, 0, 5, 15, 4, 9, 7)
    const format = (text: string, locale = 'en') => dateFormat(text, BERLIN, locale)(at)
    assert.equal(format("EEEE d MMMM yyyy 'at' h:mm a"), 'Monday 5 January 2026 at 4:04 PM')
    assert.equal(format('EEE dd. MMM', 'de'), 'Mo 05. Jan')
    assert.equal(
      format("yy-M-d H:m:s.SSS Z ZZ Q ww w X x ''"),
      "26-1-5 16:4:9.007 +01:00 +0100 1 02 2 1767625449 1767625449007 '"
    )
  })
})

describe('Date', () => {
  it('computes with a date of the data, or with the data itself', () => {
    const order = { at: '2026-03-28T20:00', days: 3 }
    assert.equal(ran({ date: '{at}' }, order), '2026-03-28T20:00:00.000Z')
    assert.equal(
      ran({ operation: 'Add', date: '{at}', amount: '{days}', timezone: 'Europe/Berlin' }, order),
      '2026-03-31T20:00:00.000+02:00'
    )
    assert.equal(
      ran({ operation: 'Subtract', amount: '2', unit: 'weeks', format: 'dd.MM.' }, '2026-11-17'),
      '03.11.'
    )
    assert.equal(
      ran({ operation: 'Start of', unit: 'weeks' }, '2026-11-22T10:00Z'),
      '2026-11-16T00:00:00.000Z'
    )
    assert.equal(ran({ operation: 'End of', unit: 'quarters' }, '2026-11-22'), '2026-12-31T23:59:59.999Z')
    assert.equal(
      ran({ operation: 'Start of', unit: 'hours', timezone: '+05:30' }, '2026-11-22T10:10Z'),
      '2026-11-22T15:00:00.000+05:30'
    )
    assert.equal(ran({ operation: 'Difference', unit: 'hours' }, '2026-11-17T06:30Z'), 2.5)
    assert.equal(ran({ date: 'now', format: 'X' }), 1_794_906_000)
  })

  it('puts it under a member, in each item of a list', () => {
    assert.deepEqual(ran({ date: '{at}', format: 'yyyy', as: 'year' }, [{ at: '2026-01-01' }, { at: 0 }]), [
      { at: '2026-01-01', year: '2026' },
      { at: 0, year: '1970' }
    ])
  })

  it('says what is not a date, a zone or an amount', () => {
    const failed = (fields: Record<string, JsonValue>, data: JsonValue) => {
      const { code, message } = failureOf(date, { fields, inputs: { data } })
      return `${code}: ${message}`
    }
    assert.match(
      failed({ date: '{at}' }, [{ at: 0 }, { at: 'soon' }]),
      /^invalid_date: Item 1: Field "date": the text "soon" is not a date\. Write it as in ISO/
    )
    assert.match(failed({ input_format: 'dd.MM.yyyy' }, 'soon'), /written as dd\.MM\.yyyy/)
    assert.match(failed({ timezone: '{zone}' }, 0), /^unknown_zone: "\{zone\}"/)
    assert.match(failed({ operation: 'Add', amount: 'many' }, 0), /^not_a_number: Field "amount"/)
    assert.match(failed({ operation: 'Add', amount: '999999', unit: 'years' }, 0), /^invalid_date/)
    assert.match(failed({ as: 'x' }, 0), /^not_an_object/)
  })

  it('is judged when it is saved', () => {
    const check = (changes: object) =>
      date.check!({
        operation: 'Format',
        date: '',
        amount: '1',
        other: 'now',
        unit: 'days',
        timezone: 'UTC',
        format: '',
        as: '',
        input_format: '',
        locale: 'en',
        ...changes
      })
        .map(({ field, message }) => `${field}: ${message}`)
        .join()
    assert.match(check({ timezone: 'Mars/Base' }), /timezone: "Mars\/Base" is not a time zone/)
    assert.match(check({ format: 'dd of MM' }), /format: "of" means nothing/)
    assert.match(check({ date: '{a' }), /date:/)
    assert.match(check({ input_format: 'EEE EEE' }), /input_format: It has "EEE" twice/)
    assert.match(check({ input_format: 'ww yyyy' }), /cannot be read by "ww"/)
    assert.equal(check({ timezone: '{$zone}' }), '')
  })

  it('takes the beginning of the run for now', () => {
    assert.equal(startOfRun('019b2f6e-6c00-7000-8000-000000000001'), 0x019b2f6e6c00)
    assert.equal(startOfRun('run-1'), undefined)
  })
})
