import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Who is called: reads what it gets and answers at once, with about as many bytes. */
const ANSWER = JSON.stringify({
  id: 48_213,
  state: 'booked',
  carrier: 'Canal & Co.',
  label: 'https://labels.example/48213.pdf',
  parcels: [
    { weight: 2.4, code: 'PX-1' },
    { weight: 31, code: 'PX-2' }
  ]
})

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`The upstream is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
