"""How Canvas holds an imported quiz: every setting that its own exports have, as a quiz begins there."""

from __future__ import annotations

# {title}, {points} and {quiz} are put in.
QUIZ = {
    "title": "{title}", "description": "", "shuffle_answers": "false", "scoring_policy": "keep_highest",
    "hide_results": "", "quiz_type": "assignment", "points_possible": "{points}",
    "require_lockdown_browser": "false", "require_lockdown_browser_for_results": "false",
    "require_lockdown_browser_monitor": "false", "lockdown_browser_monitor_data": "",
    "show_correct_answers": "true", "anonymous_submissions": "false", "could_be_locked": "false",
    "allowed_attempts": "1", "one_question_at_a_time": "false", "cant_go_back": "false",
    "available": "false", "one_time_results": "false", "show_correct_answers_last_attempt": "false",
    "only_visible_to_overrides": "false", "module_locked": "false",
}  # fmt: skip
ASSIGNMENT = {
    "title": "{title}", "due_at": "", "lock_at": "", "unlock_at": "", "module_locked": "false",
    "workflow_state": "unpublished", "assignment_overrides": "", "quiz_identifierref": "{quiz}",
    "allowed_extensions": "", "has_group_category": "false", "points_possible": "{points}",
    "grading_type": "points", "all_day": "false", "submission_types": "online_quiz", "position": "1",
    "turnitin_enabled": "false", "vericite_enabled": "false", "peer_review_count": "0",
    "peer_reviews": "false", "automatic_peer_reviews": "false", "anonymous_peer_reviews": "false",
    "grade_group_students_individually": "false", "freeze_on_copy": "false",
    "omit_from_final_grade": "false", "intra_group_peer_reviews": "false",
    "only_visible_to_overrides": "false", "post_to_sis": "false", "moderated_grading": "false",
    "grader_count": "0", "grader_comments_visible_to_graders": "true", "anonymous_grading": "false",
    "graders_anonymous_to_graders": "false", "grader_names_visible_to_final_grader": "true",
    "anonymous_instructor_annotations": "false",
}  # fmt: skip
