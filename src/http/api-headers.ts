/**
 * For every answer of the API: it may hold what is for its caller alone, so nobody keeps it; and it may hold what a
 * stranger sent, so no browser takes it for anything but what it says it is.
 */
export const apiHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
