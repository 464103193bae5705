"""Follow the yellow line in the middle of the road, seen through the car's camera. Knows no ROS: pictures in, commands out.

1. Which pixels are yellow? Red and green well above blue, whatever the brightness.
2. Where on the ground is what they show? The camera looks straight ahead from a known height, so every pixel below the horizon
   belongs to one point of the ground.
3. Aim at the middle of the yellow points half a metre ahead, and steer onto the circle that leads there (pure pursuit).
"""

import io
import math

import numpy
from PIL import Image

# The camera of the car: 100 degrees wide, this high, and this far before the rear axle.
FIELD_OF_VIEW_RAD = math.radians(100)
CAMERA_HEIGHT_M = 0.13
CAMERA_AHEAD_M = 0.19
WHEELBASE_M = 0.18
MAX_STEERING_RAD = math.radians(20)

# The part of the ground that counts, as seen from the camera.
NEAREST_M, FARTHEST_M = 0.2, 0.7
# How far from where it is expected the line may be: other things are yellow, too. After every picture without it, more.
GATE_M = 0.18
# Fewer yellow pixels than this are a speck, not a line.
ENOUGH_PIXELS = 12


class LaneFollower:
    def __init__(self, speed: float = 0.6):
        self.speed = speed
        # Of the circle that was steered onto last, in 1/m, left positive.
        self.curvature = 0.0
        self.pictures_without_line = 0

    def command(self, jpeg: bytes) -> tuple[float, float]:
        """Speed in m/s and steering in radians for what this picture shows."""
        image = numpy.asarray(Image.open(io.BytesIO(jpeg)).convert('RGB'))
        target = find_target(image, self.curvature, GATE_M * (1 + self.pictures_without_line))
        speed = self.speed
        if target is None:
            # Out of sight, for a moment hopefully: go on as before, slowly.
            self.pictures_without_line += 1
            speed *= 0.4
        else:
            self.pictures_without_line = 0
            forward, left = target
            self.curvature = 2 * left / (forward**2 + left**2)
        steering = math.atan(WHEELBASE_M * self.curvature)
        return speed, max(-MAX_STEERING_RAD, min(MAX_STEERING_RAD, steering))


def find_target(image: numpy.ndarray, curvature: float, gate_m: float) -> tuple[float, float] | None:
    """The middle of the line ahead, in metres forward and left of the rear axle; None when no line is to be seen.

    The line is looked for along the circle of this curvature, not farther from it than the gate.
    """
    height, width, _ = image.shape
    focal_px = width / 2 / math.tan(FIELD_OF_VIEW_RAD / 2)
    horizon = height / 2
    top = math.ceil(horizon + CAMERA_HEIGHT_M * focal_px / FARTHEST_M)
    bottom = min(height, math.floor(horizon + CAMERA_HEIGHT_M * focal_px / NEAREST_M))
    red, green, blue = (image[top:bottom, :, k].astype(int) for k in range(3))
    is_yellow = (red > 80) & (green > 1.4 * blue) & (red > 1.6 * blue) & (green > 0.6 * red)
    rows, columns = numpy.nonzero(is_yellow)
    before_camera = CAMERA_HEIGHT_M * focal_px / (rows + 0.5 + top - horizon)
    left = (width / 2 - columns - 0.5) * before_camera / focal_px
    forward = before_camera + CAMERA_AHEAD_M
    is_line = abs(left - curvature * forward**2 / 2) < gate_m
    if is_line.sum() < ENOUGH_PIXELS:
        return None
    # A near pixel shows less of the ground than a far one; each counts as much as the ground that it shows.
    weight = before_camera[is_line] ** 3
    return float(numpy.average(forward[is_line], weights=weight)), float(numpy.average(left[is_line], weights=weight))
