import { expect, test } from 'vitest'
import type { Machine } from './trust-plan.ts'
import { planTrust } from './trust-plan.ts'

const machine = (platform: NodeJS.Platform, programs: string[], more: Partial<Machine> = {}): Machine => ({
  platform,
  home: '/home/me',
  isRoot: false,
  has: (program) => programs.includes(program),
  exists: () => true,
  ...more,
})

const ca = '/data/tls/authority.pem'
const nss = `certutil -d sql:/home/me/.pki/nssdb -A -t C,, -n diptych-local-authority -i ${ca}`

test.each<[string, Machine, string[]]>([
  [
    'Debian',
    machine('linux', ['update-ca-certificates', 'certutil']),
    [`sudo cp ${ca} /usr/local/share/ca-certificates/diptych.crt`, 'sudo update-ca-certificates', nss],
  ],
  [
    'Debian as root, without certutil',
    machine('linux', ['update-ca-certificates'], { isRoot: true }),
    [`cp ${ca} /usr/local/share/ca-certificates/diptych.crt`, 'update-ca-certificates'],
  ],
  [
    'Fedora before the first start of a browser',
    machine('linux', ['update-ca-trust', 'certutil'], { exists: () => false }),
    [`sudo cp ${ca} /etc/pki/ca-trust/source/anchors/diptych.pem`, 'sudo update-ca-trust extract'],
  ],
  [
    'macOS',
    machine('darwin', []),
    [`sudo security add-trusted-cert -d -k /Library/Keychains/System.keychain ${ca}`],
  ],
  ['Windows', machine('win32', []), [`certutil -user -addstore Root ${ca}`]],
  ['anything else', machine('freebsd', []), []],
])('on %s', (_name, on, expected) => {
  const { commands, notes } = planTrust(ca, on)
  expect(commands.map((command) => command.join(' '))).toEqual(expected)
  expect(notes.length).toBeGreaterThan(0)
})

test('a Linux it does not know, and a browser it cannot tell, get a note with the file', () => {
  const { notes } = planTrust(ca, machine('linux', []))
  expect(notes.filter((note) => note.includes(ca))).toHaveLength(3)
})
