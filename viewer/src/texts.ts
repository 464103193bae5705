/** Every text of the page, in English and Korean. `{name}` is filled in. */
import type { Language } from "./state/preferences";

const TEXTS = {
  title: ["Simulator", "시뮬레이터"],
  stage: ["The world. Choose an object in the side panel to move it with the keyboard.", "월드 화면. 키보드로 옮기려면 옆 패널에서 물체를 고르세요."],

  // The top bar
  world: ["World", "월드"],
  chooseWorld: ["Choose a world", "월드 선택"],
  noWorld: ["No world", "월드 없음"],
  pause: ["Pause", "일시정지"],
  resume: ["Resume", "계속"],
  paused: ["paused", "일시정지됨"],
  simTime: ["Simulation time", "시뮬레이션 시간"],
  rtf: ["Simulated seconds per second", "실시간 배율"],
  evaluate: ["Evaluate", "평가"],
  records: ["Records", "기록"],
  panel: ["Controls", "조작 패널"],
  themeAuto: ["Colours: as the system", "색상: 시스템 설정"],
  themeDark: ["Colours: dark", "색상: 어둡게"],
  themeLight: ["Colours: light", "색상: 밝게"],
  language: ["한국어", "English"],
  close: ["Close", "닫기"],

  // The side panel
  view: ["View", "시점"],
  viewOrbit: ["Orbit", "자유"],
  viewFollow: ["Follow", "따라가기"],
  viewTop: ["Top", "위에서"],
  viewDriver: ["Driver", "운전석"],
  show: ["Show", "표시"],
  robotCamera: ["Camera", "카메라"],
  lidar: ["Lidar", "라이다"],
  grid: ["Grid", "격자"],
  objects: ["Objects", "물체"],
  chooseObject: ["Choose an object…", "물체 선택…"],
  vehicle: ["Car", "차량"],
  scene: ["Scene", "장면"],
  brightness: ["Brightness", "밝기"],
  reset: ["Reset positions", "위치 초기화"],
  resetHint: ["Car, objects and lights back to the start", "차량, 물체, 신호등을 처음 상태로"],
  reload: ["Reload world", "월드 다시 불러오기"],
  reloadHint: ["Loads the world again and restarts odometry", "월드를 다시 불러오고 오도메트리를 새로 시작합니다"],
  overlay: ["Text on screen", "화면 글자"],
  overlayText: ["Text", "내용"],
  overlaySize: ["Size", "크기"],
  overlaySeconds: ["Seconds", "시간(초)"],
  overlayShow: ["Show", "보이기"],
  overlayClear: ["Clear", "지우기"],
  driving: ["Driving", "운전"],
  driveSpeed: ["Speed", "속도"],
  driveHint: ["Hold W A S D or the arrow keys", "W A S D 또는 방향키를 누르고 있으세요"],
  forward: ["Drive forward", "앞으로"],
  back: ["Drive back", "뒤로"],
  left: ["Steer left", "왼쪽으로"],
  right: ["Steer right", "오른쪽으로"],
  shortcuts: ["P pause · 1–4 view · C camera · L lidar · G grid · Ctrl+Z undo", "P 일시정지 · 1–4 시점 · C 카메라 · L 라이다 · G 격자 · Ctrl+Z 되돌리기"],

  // The selection
  selection: ["Selection", "선택"],
  live: ["Now", "현재"],
  origin: ["Origin", "원위치"],
  backToOrigin: ["Back to origin", "원위치로"],
  undo: ["Undo move", "이동 되돌리기"],
  apply: ["Move", "옮기기"],
  yawDegrees: ["Yaw °", "방향 °"],
  fixed: ["This cannot be moved.", "옮길 수 없습니다."],
  red: ["Red", "빨강"],
  green: ["Green", "초록"],
  lightState: ["Light", "신호"],
  redIn: ["Red in {seconds} s", "{seconds}초 뒤 빨강"],

  // Readings
  pose: ["Pose", "위치"],
  speed: ["Speed", "속도"],
  contact: ["Touching {names}", "접촉: {names}"],

  // Connection
  connecting: ["Connecting to the simulator…", "시뮬레이터에 연결하는 중…"],
  lost: ["The server does not answer; trying again.", "서버가 응답하지 않아 다시 시도하는 중입니다."],
  notRunning: ["The simulator process is not running. It is being started again.", "시뮬레이터 프로세스가 멈췄습니다. 다시 시작하는 중입니다."],
  loadingWorld: ["Loading the world…", "월드를 불러오는 중…"],
  switchingWorld: ["Changing the world…", "월드를 바꾸는 중…"],
  respawning: ["Reloading the world…", "월드를 다시 불러오는 중…"],
  loadingScene: ["Loading the scene… {done} of {total}", "장면을 불러오는 중… {done}/{total}"],
  sceneFailed: ["The scene could not be loaded.", "장면을 불러오지 못했습니다."],
  retry: ["Try again", "다시 시도"],

  // Worlds
  worlds: ["Worlds", "월드"],
  official: ["Official", "공식"],
  custom: ["Custom", "사용자"],
  current: ["Running", "실행 중"],
  withEvaluation: ["evaluation", "평가"],
  switchTo: ["Open {name}", "{name} 열기"],
  install: ["Install by ID", "ID로 설치"],
  installHint: ["The 32 characters that the world builder shows after publishing", "월드 빌더가 게시 후 보여주는 32자리 ID"],
  installAction: ["Install", "설치"],
  installDownload: ["Downloading… {size}", "내려받는 중… {size}"],
  installCheck: ["Checking…", "확인 중…"],
  installDone: ["Installed: {name}", "설치됨: {name}"],
  installCached: ["Already installed: {name}", "이미 설치됨: {name}"],
  remove: ["Delete", "삭제"],
  removeNamed: ["Delete {name}", "{name} 삭제"],
  removeSure: ["Delete {name} from this simulator? It can be installed again by its ID.", "이 시뮬레이터에서 {name}을(를) 삭제할까요? ID로 다시 설치할 수 있습니다."],
  cancel: ["Cancel", "취소"],
  noPicture: ["No picture", "사진 없음"],

  // Evaluation
  startTitle: ["Evaluation", "평가"],
  command: ["Command", "실행 명령"],
  commandHint: ["Starts your program, such as: python3 drive.py. Leave empty to drive by hand.", "프로그램을 실행하는 명령(예: python3 drive.py). 비워 두면 직접 운전합니다."],
  timeLimit: ["Time limit (simulated seconds)", "제한 시간(시뮬레이션 초)"],
  lowerIsBetter: ["Lower is better", "낮을수록 좋음"],
  higherIsBetter: ["Higher is better", "높을수록 좋음"],
  start: ["Start", "시작"],
  stop: ["Stop", "중지"],
  phaseStarting: ["Starting", "시작하는 중"],
  phaseInitializing: ["Preparing", "준비하는 중"],
  phaseRunning: ["Running", "진행 중"],
  phaseEnded: ["Ended", "끝남"],
  record: ["Record", "기록"],
  noRecord: ["no record yet", "아직 기록 없음"],
  time: ["Time", "시간"],
  log: ["Log", "로그"],
  logEmpty: ["Nothing printed yet", "아직 출력 없음"],
  studentRunning: ["program running", "프로그램 실행 중"],
  studentExit: ["program ended with {code}", "프로그램 종료 코드 {code}"],
  outcomeFinished: ["Finished", "완료"],
  outcomeTimeout: ["Time is up", "시간 초과"],
  outcomeScriptError: ["The run failed", "실패"],
  outcomeStopped: ["Stopped", "중지됨"],
  outcomeUnsupported: ["Not for this robot", "이 로봇은 지원하지 않음"],
  timeoutExplained: ["The run took longer than its time limit and is not ranked.", "제한 시간을 넘겨 순위에서 제외됩니다."],
  lastLines: ["Last lines", "마지막 출력"],
  again: ["Again", "다시"],

  // Records
  recordsOf: ["Records in {world}", "{world} 기록"],
  recordsEmpty: ["Nobody has run the evaluation here yet.", "아직 평가 기록이 없습니다."],
  best: ["best", "최고"],
  speedPlot: ["Speed over time, up to {max} m/s in {seconds} s", "시간에 따른 속도, {seconds}초 동안 최고 {max} m/s"],
  fastest: ["up to {max} m/s", "최고 {max} m/s"],
  noTrajectory: ["This record has no trajectory.", "이 기록에는 주행 경로가 없습니다."],
  mcap: ["Recording (MCAP)", "녹화 파일 (MCAP)"],
  mcapHint: ["Open it in Foxglove, Lichtblick, rerun or ros2 bag", "Foxglove, Lichtblick, rerun, ros2 bag으로 열 수 있습니다"],
  watched: ["driven by hand", "직접 운전"],
} as const satisfies Record<string, readonly [en: string, ko: string]>;

export type TextKey = keyof typeof TEXTS;

export function text(language: Language, key: TextKey, values: Record<string, string | number> = {}): string {
  const found: string = TEXTS[key][language === "ko" ? 1 : 0];
  return found.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** For a test: no text may be missing in one language or fill in other names than its twin. */
export const ALL_TEXTS: Record<string, readonly [string, string]> = TEXTS;
