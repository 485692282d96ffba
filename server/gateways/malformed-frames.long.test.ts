import { describeMalformedFrames } from './malformed-frames.contract.ts'

describeMalformedFrames(['TLS', 'extended CONNECT'])
