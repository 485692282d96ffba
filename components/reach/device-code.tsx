'use client'

import { QrCode as QrIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { codeAddress, reachOf, type Reach } from './addresses'
import { QrCode } from './qr-code'
import { ReachNote } from './reach-note'
import { useDeviceCode, type DeviceCode as Code } from './use-device-code'
import { Sentence } from '@/components/ui/sentence'
import { strings } from '@/lib/strings/devices.ts'

interface DeviceCodeProps {
  /** Where the code leads: "/d/{id}/p/outline". */
  readonly path: string
  /** "Outline" */
  readonly name: string
}

/** A QR code that opens a page on another device and signs it in as the same person. */
export function DeviceCode({ path, name }: DeviceCodeProps) {
  const [code, make] = useDeviceCode()
  return (
    <div className="flex flex-col gap-3">
      {code.state === 'ready' ? (
        <Ready code={code} path={path} name={name} />
      ) : (
        <div className="flex flex-col items-start gap-2">
          <p>{strings.code.hint[code.state]}</p>
          <Button onClick={make} disabled={code.state === 'making'} aria-busy={code.state === 'making'}>
            <QrIcon size={16} aria-hidden />
            {code.state === 'none' || code.state === 'making' ? strings.code.show : strings.code.renew}
          </Button>
        </div>
      )}
      <p role="alert" className="text-danger empty:absolute">
        {code.state === 'failed' && code.message}
      </p>
    </div>
  )
}

interface ReadyProps extends DeviceCodeProps {
  readonly code: Extract<Code, { state: 'ready' }>
}

function Ready({ code: { made, secondsLeft }, path, name }: ReadyProps) {
  const reach = reachOf(location.origin, made.addresses)
  const [chosen, setChosen] = useState('')
  const origin = reach.origins.includes(chosen) ? chosen : reach.origins[0]!
  return (
    <div className="flex flex-wrap gap-4">
      <QrCode text={codeAddress(origin, path, made.ticket)} label={strings.code.label(name)} />
      <div className="flex min-w-48 flex-1 flex-col gap-2">
        <p>
          <Sentence
            parts={strings.code.goodFor(secondsLeft, <span className="tabular-nums">{secondsLeft}</span>)}
          />
        </p>
        {reach.origins.length > 1 && <Addresses reach={reach} origin={origin} onChoose={setChosen} />}
        <ReachNote reach={reach} />
      </div>
    </div>
  )
}

interface AddressesProps {
  readonly reach: Reach
  readonly origin: string
  readonly onChoose: (origin: string) => void
}

/** A computer is in several networks at once, and knows not in which the other device is. */
const Addresses = ({ reach, origin, onChoose }: AddressesProps) => (
  <label className="flex min-w-0 flex-col gap-1">
    {strings.code.otherAddress}
    <select
      value={origin}
      onChange={(event) => onChoose(event.target.value)}
      className="h-9 w-full min-w-0 rounded-lg border border-edge bg-paper px-2"
    >
      {reach.origins.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  </label>
)
