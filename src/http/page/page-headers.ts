/**
 * What a browser may do with the page. Nothing but our own files is run or drawn, whatever a payload holds that the
 * page shows; styles that libraries write at run time need the nonce of this very answer.
 */
export function pageHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // PDFs, as the browser's own viewer shows them: web/src/file-parts/pdf-frame.tsx.
    'frame-src blob:',
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ]
  return {
    ...fileHeaders,
    'content-security-policy': policy.join('; '),
    // The nonce is good once, so the document is asked for every time.
    'cache-control': 'no-cache',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', ')
  }
}

/** For every file, the document included. */
export const fileHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin'
}

/** What no part of the page asks for. The clipboard is not here: there are buttons that copy. */
const UNUSED = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb'
]
