"""The ROS packages, the launch file and the container files, as far as they can be tried where there is neither ROS nor a container engine.

    python package_check.py PROGRAMS

Ends with `N passed, M failed`.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import launch_stand_in
import yaml
from catkin_pkg.package import parse_package
from checks import run_all

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent


def output_of(*command) -> str:
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f'{command[0]}: {done.stdout}{done.stderr}'
    return done.stdout


def test_colcon_finds_the_two_packages_and_nothing_else(programs: Path):
    listed = output_of(TOOLS / 'colcon', '--log-base', '/dev/null', 'list', '--base-paths', ROOT)
    packages = [tuple(line.split('\t')[::2]) for line in listed.splitlines()]
    assert packages == [('sim_api', '(ros.ament_cmake)'), ('sim_api_msgs', '(ros.ament_cmake)')], listed


def test_package_descriptions_are_valid_and_complete(programs: Path):
    cargo = tomllib.loads((ROOT / 'Cargo.toml').read_text())['package']
    for folder in ('ament', 'msg'):
        warnings = []
        package = parse_package(str(ROOT / folder), warnings=warnings)
        package.validate(warnings=warnings)
        assert not warnings, warnings
        assert package.package_format == 3 and package.version == cargo['version'], package
        assert package.licenses == [cargo['license']], package.licenses
        assert package.maintainers and 'example' not in package.maintainers[0].email, package.maintainers


def dependencies(folder: str, *kinds: str) -> set[str]:
    package = parse_package(str(ROOT / folder))
    return {dependency.name for kind in kinds for dependency in getattr(package, kind)}


def test_everything_that_is_used_is_a_dependency(programs: Path):
    build = (ROOT / 'ament/CMakeLists.txt').read_text()
    messages = set(re.search(r'set\(message_packages\s+([^)]*)\)', build).group(1).split())
    assert messages <= dependencies('ament', 'build_depends') & dependencies('ament', 'exec_depends'), messages
    launch = (ROOT / 'launch/bringup.launch.py').read_text()
    modules = set(re.findall(r'^from (\w+)', launch, re.MULTILINE))
    assert modules <= dependencies('ament', 'exec_depends'), modules
    definitions = ''.join(path.read_text() for path in (ROOT / 'msg').glob('*/*.*'))
    used = set(re.findall(r'^(\w+)/\w+', definitions, re.MULTILINE))
    assert used <= dependencies('msg', 'build_depends') & dependencies('msg', 'exec_depends'), used


def test_every_message_is_generated(programs: Path):
    build = (ROOT / 'msg/CMakeLists.txt').read_text()
    for path in [*(ROOT / 'msg').glob('msg/*.msg'), *(ROOT / 'msg').glob('srv/*.srv')]:
        assert path.relative_to(ROOT / 'msg').as_posix() in build, path


def launch_description():
    return launch_stand_in.load(ROOT / 'launch/bringup.launch.py', ROOT)


def test_launch_file_declares_and_explains_its_arguments(programs: Path):
    arguments = launch_stand_in.arguments_of(launch_description())
    wanted = {'world', 'port', 'bind', 'data', 'rtf', 'seed', 'robot', 'config'}
    assert wanted <= arguments.keys(), f'missing: {wanted - arguments.keys()}'
    for name, argument in arguments.items():
        assert argument.description and argument.description.endswith('.'), f'{name} is not explained'
        assert argument.default_value is not None, f'{name} would have to be given'
    guide = (ROOT / 'docs/howto/use-with-ros.md').read_text()
    missing = [name for name in arguments if f'`{name}`' not in guide]
    assert not missing, f'docs/howto/use-with-ros.md does not tell of {missing}'


def test_launch_starts_the_three_programs_and_restarts_them(programs: Path):
    nodes = launch_stand_in.start(launch_description())
    assert nodes.keys() == {'sim_backend', 'robot_stack', 'sim_api_node'}, nodes.keys()
    for node in nodes.values():
        assert node.package == 'sim_api' and node.respawn and node.output == 'screen', vars(node)
        assert node.parameters == [str(ROOT / 'config/sim_api.yaml')] and Path(node.parameters[0]).is_file()
    assert 'robot_stack' not in launch_stand_in.start(launch_description(), robot='false')


def test_launch_arguments_become_flags_that_the_programs_know(programs: Path):
    given = {'world': 'vehicle_oval', 'data': '/tmp/sim7', 'rtf': '2.0', 'seed': '7', 'bind': '127.0.0.1', 'port': '8087'}
    for executable, node in launch_stand_in.start(launch_description(), **given).items():
        flags = dict(zip(node.arguments[::2], node.arguments[1::2]))
        assert flags.get('--bind') == '127.0.0.1:8087' and flags.get('--world') == 'vehicle_oval', flags
        known = output_of(programs / executable, '--help')
        assert all(f'{flag} ' in known for flag in flags), f'{executable} does not know all of {flags}'


def commands_in(guide: str) -> str:
    """What a reader would paste: the indented blocks."""
    lines = (ROOT / 'docs/howto' / guide).read_text().splitlines()
    return '\n'.join(line for line in lines if line.startswith('    '))


def test_commands_of_the_guides_can_be_pasted(programs: Path):
    for guide in ('use-with-ros.md', 'follow-the-lane.md', 'drive-over-http.md'):
        checked = subprocess.run(['bash', '-n'], input=commands_in(guide), capture_output=True, text=True, timeout=60)
        assert checked.returncode == 0, f'{guide}: {checked.stderr}'
        for script in re.findall(r'[\w/]+\.py\b', commands_in(guide)):
            places = [ROOT / script, ROOT / 'docs/howto/examples' / script, ROOT / 'launch' / f'bringup.{script}']
            assert any(place.is_file() for place in places), f'{guide}: {script} does not exist'


def test_launches_of_the_guide_start_something(programs: Path):
    launches = re.findall(r'bringup\.launch\.py([^\n]*)', commands_in('use-with-ros.md'))
    assert len(launches) >= 4, launches
    for line in launches:
        given = dict(re.findall(r'(\w+):=(\S+)', line))
        assert launch_stand_in.start(launch_description(), **given), line


def test_topics_and_services_of_the_guide_exist(programs: Path):
    table = (ROOT / 'src/ros/topics.rs').read_text()
    served = ''.join(path.read_text() for path in (ROOT / 'src/backend').rglob('*.rs'))
    text = commands_in('use-with-ros.md')
    topics = re.findall(r'ros2 topic \w+ (?:-\S+ (?:[\w.]+ )?)*(/[\w/]+)', text)
    assert len(topics) >= 5, topics
    for topic in topics:
        assert f'Topic::new("{topic[1:]}"' in table or f'Topic::new("{topic}"' in table, topic
    for service in re.findall(r'ros2 service call /sim_backend/(\w+)', text):
        assert f'"{service}"' in served, service


def test_dockerfile_passes_the_linter(programs: Path):
    output_of(TOOLS / 'hadolint', '--config', 'docker/hadolint.yaml', '--no-color', 'docker/Dockerfile')


def test_dockerfile_keeps_its_promises(programs: Path):
    steps = re.sub(r'\\\n', ' ', (ROOT / 'docker/Dockerfile').read_text()).splitlines()
    users = [step.split()[1] for step in steps if step.startswith('USER ')]
    assert users and users[-1] not in ('root', '0'), 'the programs must not run as root'
    health = next(step for step in steps if step.startswith('HEALTHCHECK '))
    assert '/sim/api/status' in health, health
    assert 'ARG ROS_DISTRO=jazzy' in steps and any('python:3.14' in step for step in steps)
    build = next(i for i, step in enumerate(steps) if 'colcon build' in step)
    page = next(i for i, step in enumerate(steps) if step.startswith('COPY --from=page ') and step.endswith('/viewer/dist'))
    assert page < build, 'the package installs the page, so it must be there before'
    entry = next(step for step in steps if step.startswith('ENTRYPOINT '))
    assert (ROOT / 'launch' / re.search(r'\w+\.launch\.py', entry).group()).is_file(), entry
    given = re.findall(r'"(\w+):=', next(step for step in steps if step.startswith('CMD ')))
    assert given and set(given) <= launch_stand_in.arguments_of(launch_description()).keys(), given


def test_compose_publishes_on_this_machine_only(programs: Path):
    compose = yaml.safe_load((ROOT / 'docker/compose.yaml').read_text())
    service = compose['services']['sim_api']
    assert all(port.startswith('127.0.0.1:') for port in service['ports']), service['ports']
    context = (ROOT / 'docker' / service['build']['context']).resolve()
    assert context == ROOT and (context / service['build']['dockerfile']).is_file(), service['build']
    volumes = [volume.split(':') for volume in service['volumes']]
    assert [target for _, target in volumes] == ['/data'] and volumes[0][0] in compose['volumes'], volumes
    variables = service['environment'].keys()
    settings = (ROOT / 'src/app/settings/layer.rs').read_text()
    assert all(f'env = "{name}"' in settings for name in variables), variables


def test_docker_accepts_the_compose_file_where_there_is_one(programs: Path):
    def docker(*arguments):
        command = ['docker', 'compose', *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)

    try:
        can = docker('version').returncode == 0
    except FileNotFoundError:
        can = False
    if not can:
        print('  no docker with the compose plugin here: the rules above have to do', flush=True)
        return
    checked = docker('--file', 'docker/compose.yaml', 'config', '--quiet')
    assert checked.returncode == 0, checked.stderr


if __name__ == '__main__':
    sys.exit(run_all(globals(), Path(sys.argv[1])))
