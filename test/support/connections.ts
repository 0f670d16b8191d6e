/** A secret that must be found nowhere. */
export const CANARY = 'canary-token-0123456789'

/** A connection to an API, as somebody sends it who makes one. */
export const SHOP = {
  name: 'shop',
  kind: 'http',
  settings: { base_url: 'https://shop.example/v1', auth: 'bearer' },
  secrets: { token: CANARY }
}
