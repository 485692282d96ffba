import { WrongPanelAddress } from '@/components/panels/wrong-panel-address'

export default function NotFound() {
  return <WrongPanelAddress />
}
