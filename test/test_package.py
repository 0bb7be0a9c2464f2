"""What the package offers at its top."""

import planar_arm_ik


def test_everything_promised_is_there_and_explained():
    promised = {"PlanarArm", "JointLimits", "load_arm", "solve", "IkSolution", "IkCandidate"}
    promised |= {"solve_batch", "IkBatch", "plan_path", "PathPlan", "damped_step", "VelocityStep"}
    promised |= {"DhChain", "IkStatus", "FollowerState", "Branch", "PlanarArmError"}
    assert promised <= set(planar_arm_ik.__all__)
    for name in planar_arm_ik.__all__:
        assert getattr(planar_arm_ik, name).__doc__, name
