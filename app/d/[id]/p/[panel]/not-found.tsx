import { WrongPanelAddress } from '@/components/panels/wrong-panel-address.tsx'

export default function NotFound() {
  return <WrongPanelAddress />
}
