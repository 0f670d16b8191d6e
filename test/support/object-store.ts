import S3rver from '@20minutes/s3rver'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { temporaryFolder } from './stage.ts'

/** An object store that checks signatures, with the bucket `mill`; the variables with which a service uses it. */
export async function startObjectStore(test: Lifetime): Promise<Record<string, string>> {
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: await temporaryFolder(test),
    configureBuckets: [{ name: 'mill' }]
  })
  const { port } = await store.run()
  cleanUp(test, () => {
    store.httpServer.closeAllConnections()
    return store.close()
  })
  return {
    MILLRACE_FILES: `s3://mill/team?endpoint=http://127.0.0.1:${port}&region=eu-west-1`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER'
  }
}
