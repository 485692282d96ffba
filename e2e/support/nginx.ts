/** Runs a real nginx in front of the server's plain port. It buffers answers and bodies, and does not support WebSockets. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild, type TestChild } from '../../server/fixtures/child-process.ts'
import { createSelfSignedCertificate } from '../../lib/transports/net/self-signed-certificate.ts'
import { findFreePorts } from './free-ports.ts'

/** Adds Debian's folder of nginx, which is not in everybody's path. */
const env = { ...process.env, PATH: `${process.env.PATH}${delimiter}/usr/sbin` }

/** CI installs nginx, so a run there fails without it. */
export const isNginxInstalled =
  process.env.CI !== undefined || spawnSync('nginx', ['-v'], { env, stdio: 'ignore' }).status === 0

export const nginxSkipNote = isNginxInstalled ? '' : ' (skipped: nginx is not installed)'

export class Nginx implements AsyncDisposable {
  readonly origins: { readonly http: string; readonly https: string }
  readonly #folder: string
  readonly #child: TestChild

  static async start(targetPort: number): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'diptych-nginx-'))
    const [http = 0, https = 0] = await findFreePorts(2)
    const { cert, key } = await createSelfSignedCertificate()
    await writeFile(join(folder, 'cert.pem'), cert)
    await writeFile(join(folder, 'key.pem'), key)
    await writeFile(join(folder, 'nginx.conf'), nginxConfiguration(folder, { http, https, targetPort }))
    const nginx = new Nginx(folder, { http, https })
    await nginx.#waitUntilListening(http)
    return nginx
  }

  private constructor(folder: string, { http, https }: { http: number; https: number }) {
    this.#folder = folder
    this.origins = { http: `http://localhost:${http}`, https: `https://localhost:${https}` }
    this.#child = startChild('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { env })
  }

  /** What nginx wrote to standard error. */
  get errorOutput(): string {
    return this.#child.stderr()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { process: nginx } = this.#child
    if (nginx.exitCode === null) {
      const gone = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await gone
    }
    await this.#child[Symbol.asyncDispose]()
    await rm(this.#folder, { recursive: true })
  }

  async #waitUntilListening(port: number): Promise<void> {
    while (!(await isAccepting(port))) {
      if (this.#child.process.pid === undefined || this.#child.process.exitCode !== null)
        throw new Error(`nginx did not start: ${this.errorOutput}`)
      await sleep(10)
    }
  }
}

async function isAccepting(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * The configuration of an operator who did not think of streams: everything at its default, and the server's request not to buffer
 * ignored. Answers are held back because the default towards the server is HTTP/1.0: with `proxy_http_version 1.1` nginx 1.22
 * passes each chunk on, buffering or not.
 */
const nginxConfiguration = (
  folder: string,
  { http, https, targetPort }: { http: number; https: number; targetPort: number },
): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/pid;
error_log stderr error;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${http};
    listen 127.0.0.1:${https} ssl;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    client_max_body_size 40m;
    location / {
      proxy_pass http://127.0.0.1:${targetPort};
      proxy_set_header Host $http_host;
      proxy_buffering on;
      proxy_request_buffering on;
      proxy_ignore_headers X-Accel-Buffering;
    }
  }
}
`
