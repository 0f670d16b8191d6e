import { ExactNumber } from '../../plugin-api.ts'

/** Past so many digits after the point, sums are kept digit by digit. */
const FINEST = 1e9

/**
 * A sum as somebody would add it up on paper: 0.1 and 0.2 are 0.3, and ids of 64 bits keep every digit. Numbers of few
 * digits are added as integers of their smallest unit, which takes no longer than adding doubles.
 */
export class DecimalSum {
  #units = 0
  /** Units in a whole. */
  #scale = 1
  #rest: Decimal | undefined

  add(value: number | ExactNumber): void {
    if (typeof value !== 'number') return this.#addExactly(String(value))
    let units = Math.round(value * this.#scale)
    while (units / this.#scale !== value && this.#scale < FINEST) {
      this.#refine()
      units = Math.round(value * this.#scale)
    }
    const sum = this.#units + units
    // The quotient is the double nearest to it, so that it is this very number that was written with these digits.
    if (units / this.#scale === value && Math.abs(sum) <= Number.MAX_SAFE_INTEGER) this.#units = sum
    else this.#addExactly(String(value))
  }

  total(): number | ExactNumber {
    if (this.#rest === undefined) return this.#units / this.#scale
    const { digits, places } = sumOf(this.#rest, {
      digits: BigInt(this.#units),
      places: Math.round(Math.log10(this.#scale))
    })
    const unit = powerOfTen(places)
    if (digits % unit !== 0n) return Number(`${digits}e-${places}`)
    const whole = String(digits / unit)
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : new ExactNumber(whole)
  }

  #refine(): void {
    if (Math.abs(this.#units) > Number.MAX_SAFE_INTEGER / 10) {
      this.#addExactly(`${this.#units}e-${Math.round(Math.log10(this.#scale))}`)
      this.#units = 0
    }
    this.#units *= 10
    this.#scale *= 10
  }

  #addExactly(text: string): void {
    const value = decimalOf(text)
    this.#rest = this.#rest === undefined ? value : sumOf(this.#rest, value)
  }
}

interface Decimal {
  readonly digits: bigint
  /** Digits after the point. */
  readonly places: number
}

function decimalOf(text: string): Decimal {
  const [mantissa = '0', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places < 0 ? { digits: digits * powerOfTen(-places), places: 0 } : { digits, places }
}

function sumOf(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places)
  return { digits: digitsAt(one, places) + digitsAt(other, places), places }
}

function digitsAt({ digits, places: own }: Decimal, places: number): bigint {
  return places === own ? digits : digits * powerOfTen(places - own)
}

/** The powers that were asked for: to make a high one takes fifty times as long as to add two numbers of its length. */
const powers: bigint[] = []

/** A power up to what the numbers have that can be summed up: 400 digits, and 999 by their exponent. */
const HIGHEST_KEPT = 1_400

function powerOfTen(exponent: number): bigint {
  const known = powers[exponent]
  if (known !== undefined) return known
  const power = 10n ** BigInt(exponent)
  if (exponent <= HIGHEST_KEPT) powers[exponent] = power
  return power
}
